//! The store of answers, so that the same question about a picture is paid for only once.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use parking_lot::{Condvar, Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::answer::Answer;
use crate::question::Question;

/// A store of answers: one small file per answer, in folders by the first byte of its name.
pub struct AnswerStore {
    folder: PathBuf,
    in_flight: Mutex<HashSet<AnswerKey>>,
    ended: Condvar,
}

/// The hash of a picture and a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnswerKey([u8; 32]);

/// The exclusive right to ask a question, released on drop.
pub struct QuestionLock<'a> {
    store: &'a AnswerStore,
    key: AnswerKey,
}

/// A stored answer.
#[derive(Serialize, Deserialize)]
struct StoredAnswer {
    mode: String,
    model: String,
    language: String,
    answer: Answer,
}

impl AnswerKey {
    /// Computes the key. `picture` identifies a picture: the version of a file, or the hash of the sent
    /// bytes.
    #[must_use]
    pub fn new(picture: &[u8], question: &Question) -> Self {
        let mut hash = Sha256::new();
        let parts = [
            picture,
            question.mode.name().as_bytes(),
            question.model.as_bytes(),
            question.language.tag().as_bytes(),
        ];
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

impl AnswerStore {
    /// Creates a store in this folder, which is created with the first answer.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            in_flight: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    /// Waits until no other thread asks the same question.
    pub fn lock_question(&self, key: AnswerKey) -> QuestionLock<'_> {
        let is_in_flight = |in_flight: &mut HashSet<AnswerKey>| in_flight.contains(&key);
        let mut in_flight = self.in_flight();
        self.ended.wait_while(&mut in_flight, is_in_flight);
        in_flight.insert(key);
        drop(in_flight);
        QuestionLock { store: self, key }
    }

    /// Loads a stored answer. An unreadable one counts as missing.
    #[must_use]
    pub fn load(&self, key: AnswerKey) -> Option<Answer> {
        let path = self.path(key);
        let bytes = match own_file::read(&path, own_file::SETTINGS) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!("{} can't be read: {error}", path.display());
                return None;
            }
        };
        match serde_json::from_slice::<StoredAnswer>(&bytes) {
            Ok(stored) => Some(stored.answer),
            Err(error) => {
                tracing::warn!("{} is not a stored answer: {error}", path.display());
                None
            }
        }
    }

    /// Stores an answer durably.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn store(&self, key: AnswerKey, question: &Question, answer: &Answer) -> io::Result<()> {
        let stored = StoredAnswer {
            mode: question.mode.name().to_owned(),
            model: question.model.clone(),
            language: question.language.tag().to_owned(),
            answer: answer.clone(),
        };
        let path = self.path(key);
        let folder = path.parent().expect("BUG: the path has a folder");
        durable::create_folder(folder, Access::Private)?;
        durable::write_file(&path, &serde_json::to_vec(&stored)?, Access::Private)
    }

    fn path(&self, key: AnswerKey) -> PathBuf {
        let name = hex::encode(key.0);
        self.folder
            .join(&name[..2])
            .join(&name[2..])
            .with_extension("json")
    }

    fn in_flight(&self) -> MutexGuard<'_, HashSet<AnswerKey>> {
        self.in_flight.lock()
    }
}

impl Drop for QuestionLock<'_> {
    fn drop(&mut self) {
        self.store.in_flight().remove(&self.key);
        self.store.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::question::Mode;

    fn question(mode: Mode, language: &str, model: &str) -> Question {
        Question {
            mode,
            language: language.parse().unwrap(),
            model: model.to_owned(),
        }
    }

    #[test]
    fn answers_are_stored_by_picture_and_question() {
        let folder = tempfile::tempdir().unwrap();
        let answers = AnswerStore::new(folder.path().join("vision"));
        let description = question(Mode::Describe, "ja", "m");
        let key = AnswerKey::new(b"picture", &description);
        assert!(answers.load(key).is_none());
        let answer = Answer::Description("猫".to_owned());
        answers.store(key, &description, &answer).unwrap();
        assert_eq!(answers.load(key), Some(answer));
        for other in [
            AnswerKey::new(b"other", &description),
            AnswerKey::new(b"picture", &question(Mode::Tags, "ja", "m")),
            AnswerKey::new(b"picture", &question(Mode::Describe, "en", "m")),
            AnswerKey::new(b"picture", &question(Mode::Describe, "ja", "n")),
        ] {
            assert!(answers.load(other).is_none());
        }
        fs::write(answers.path(key), "{").unwrap();
        assert!(answers.load(key).is_none());
    }
}
