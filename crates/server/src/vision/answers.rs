//! Answers that were given, so that the same picture never costs twice.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use fumikura_base::durable::{self, Access};
use fumikura_vision::{Answer, Question};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One small file for each answer, in folders by the first byte of its name.
pub(super) struct Answers {
    folder: PathBuf,
    asked: Mutex<HashSet<AnswerKey>>,
    answered: Condvar,
}

/// A picture and a question, as a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AnswerKey([u8; 32]);

/// The only one that may ask a question now; dropped, the next one may.
pub(super) struct Turn<'a> {
    answers: &'a Answers,
    key: AnswerKey,
}

/// An answer as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    mode: String,
    model: String,
    language: String,
    answer: Answer,
}

impl AnswerKey {
    /// `picture` names a picture: the version of a file, or the hash of what is sent.
    pub(super) fn new(picture: &[u8], question: &Question) -> Self {
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

impl Answers {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            asked: Mutex::default(),
            answered: Condvar::new(),
        }
    }

    /// Waits until nobody else asks the same.
    pub(super) fn turn(&self, key: AnswerKey) -> Turn<'_> {
        let is_asked = |asked: &mut HashSet<AnswerKey>| asked.contains(&key);
        let free = self.answered.wait_while(self.asked(), is_asked);
        free.unwrap_or_else(PoisonError::into_inner).insert(key);
        Turn { answers: self, key }
    }

    /// A stored answer. One that can't be read is asked for again.
    pub(super) fn load(&self, key: AnswerKey) -> Option<Answer> {
        let path = self.path(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!("{} can't be read: {error}", path.display());
                return None;
            }
        };
        match serde_json::from_slice::<Stored>(&bytes) {
            Ok(stored) => Some(stored.answer),
            Err(error) => {
                tracing::warn!("{} is no answer: {error}", path.display());
                None
            }
        }
    }

    pub(super) fn store(
        &self,
        key: AnswerKey,
        question: &Question,
        answer: &Answer,
    ) -> io::Result<()> {
        let stored = Stored {
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

    fn asked(&self) -> MutexGuard<'_, HashSet<AnswerKey>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.answers.asked().remove(&self.key);
        self.answers.answered.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use fumikura_vision::Mode;

    use super::*;

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
        let answers = Answers::new(folder.path().join("vision"));
        let asked = question(Mode::Describe, "ja", "m");
        let key = AnswerKey::new(b"picture", &asked);
        assert!(answers.load(key).is_none());
        let answer = Answer::Description("猫".to_owned());
        answers.store(key, &asked, &answer).unwrap();
        assert_eq!(answers.load(key), Some(answer));
        for other in [
            AnswerKey::new(b"other", &asked),
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
