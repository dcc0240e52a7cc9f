//! Pages with a realistic vocabulary, half of them Japanese: word frequencies are as unequal as in real texts.

/// The number of words of each kind.
const ENGLISH: usize = 8000;
const KANJI_WORDS: usize = 6000;
const KATAKANA_WORDS: usize = 1500;
/// The number of folders in paths.
const FOLDERS: usize = 40;
/// The minimum length of a short page, in bytes.
const SHORTEST: usize = 500;
/// The rate of long pages: one in this many.
const LONG_EVERY: usize = 10;

/// Common kanji.
const KANJI: &str = "\
日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新\
場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試\
族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢健康診断結果設定管参照更検索存編械機能表現実記録関\
係対応情報処線点橋港湖島庭森林石岩雪氷雲星光影波流深温泉寺宮祭神仏絵詩章句巻庫箱棚机窓扉壁床柱橙緑黄藍紅茜糸布針織染陶磁器皿碗匙鍋釜米麦豆芋菜根葉種苗畑農漁猟牧羊馬鹿熊猿狐狸兎亀鶴\
鷹雀蝶蜂蛍";

const KATAKANA: [&str; 48] = [
    "ア", "イ", "ウ", "エ", "オ", "カ", "キ", "ク", "ケ", "コ", "サ", "シ", "ス", "セ", "ソ", "タ",
    "チ", "ツ", "テ", "ト", "ナ", "ニ", "ネ", "ノ", "ハ", "フ", "ホ", "マ", "ミ", "ム", "メ", "モ",
    "ラ", "リ", "ル", "レ", "ロ", "ワ", "ン", "ガ", "グ", "ジ", "デ", "ド", "バ", "ビ", "プ", "ポ",
];
const PARTICLES: [&str; 12] = [
    "の",
    "を",
    "に",
    "は",
    "が",
    "で",
    "と",
    "も",
    "から",
    "まで",
    "として",
    "について",
];
const ENDINGS: [&str; 10] = [
    "する",
    "した",
    "である",
    "ます",
    "ない",
    "される",
    "しい",
    "った",
    "いる",
    "れば",
];

const ONSETS: [&str; 28] = [
    "b", "c", "d", "f", "g", "h", "j", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "ch",
    "cl", "cr", "gr", "pl", "pr", "sh", "st", "str", "th", "tr",
];
const VOWELS: [&str; 12] = [
    "a", "e", "i", "o", "u", "ai", "ea", "ee", "ie", "oo", "ou", "y",
];
const CODAS: [&str; 16] = [
    "", "", "", "l", "n", "r", "s", "t", "m", "ck", "nd", "ng", "nt", "rt", "st", "ss",
];
const SUFFIXES: [&str; 12] = [
    "", "", "", "", "", "s", "ed", "er", "ing", "ly", "ness", "tion",
];
const FREQUENT: [&str; 24] = [
    "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "was", "on", "with", "as",
    "be", "at", "by", "this", "from", "or", "not", "are", "but", "which",
];

/// The vocabulary from which the text of any page can be generated.
pub struct Corpus {
    english: Words,
    kanji: Words,
    katakana: Words,
}

/// Pseudo-random numbers (SplitMix64).
pub struct Random(u64);

/// Words by falling frequency.
struct Words {
    words: Vec<String>,
    /// The sum of the frequencies up to each word.
    sums: Vec<f64>,
}

impl Random {
    /// Starts from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xD134_2543_DE82_EF95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("BUG: below a usize")
    }

    fn one_of<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

impl Words {
    /// Assigns frequencies that fall with the rank (Zipf and Mandelbrot).
    fn new(words: Vec<String>) -> Self {
        let mut sum = 0.0;
        let frequencies = (0..words.len()).map(|rank| 1.0 / (rank as f64 + 2.7));
        let sums = frequencies
            .map(|frequency| {
                sum += frequency;
                sum
            })
            .collect();
        Self { words, sums }
    }

    fn draw(&self, random: &mut Random) -> &str {
        let share = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let sum = self.sums.last().copied().unwrap_or_default();
        let rank = self.sums.partition_point(|known| *known <= share * sum);
        &self.words[rank.min(self.words.len() - 1)]
    }
}

impl Default for Corpus {
    fn default() -> Self {
        let mut random = Random::new(1);
        let letters: Vec<String> = KANJI.chars().map(String::from).collect();
        let letters = Words::new(letters);
        let frequent = FREQUENT.into_iter().map(String::from);
        let english = distinct(frequent.collect(), ENGLISH, || english(&mut random));
        let kanji = distinct(Vec::new(), KANJI_WORDS, || kanji(&letters, &mut random));
        let katakana = distinct(Vec::new(), KATAKANA_WORDS, || katakana(&mut random));
        Self {
            english: Words::new(english),
            kanji: Words::new(kanji),
            katakana: Words::new(katakana),
        }
    }
}

/// Extends `words` to `count` different words.
fn distinct(mut words: Vec<String>, count: usize, mut word: impl FnMut() -> String) -> Vec<String> {
    let mut unique: std::collections::HashSet<String> = words.iter().cloned().collect();
    while words.len() < count {
        let word = word();
        if unique.insert(word.clone()) {
            words.push(word);
        }
    }
    words
}

fn english(random: &mut Random) -> String {
    let mut word = String::new();
    for _ in 0..=random.below(3) {
        word.push_str(random.one_of(&ONSETS));
        word.push_str(random.one_of(&VOWELS));
        word.push_str(random.one_of(&CODAS));
    }
    word + random.one_of(&SUFFIXES)
}

fn kanji(letters: &Words, random: &mut Random) -> String {
    let length = [1, 2, 2, 2, 2, 2, 3, 4][random.below(8)];
    (0..length).map(|_| letters.draw(random)).collect()
}

fn katakana(random: &mut Random) -> String {
    let mut word = String::new();
    for _ in 0..2 + random.below(4) {
        word.push_str(random.one_of(&KATAKANA));
        match random.below(8) {
            0 | 1 => word.push('ー'),
            2 => word.push('ッ'),
            _ => {}
        }
    }
    word
}

impl Corpus {
    /// Returns the path of the page with this number.
    #[must_use]
    pub fn path(&self, number: usize) -> String {
        let mut random = Random::new(number as u64 + (1 << 40));
        let words = self.words(number);
        let folder = &words.words[FREQUENT.len() + random.below(FOLDERS)];
        format!("/{folder}/{} {number}", words.draw(&mut random))
    }

    /// Returns the text of the page with this number, in Markdown. It is always the same.
    #[must_use]
    pub fn text(&self, number: usize) -> String {
        let mut random = Random::new(number as u64);
        let length = SHORTEST + random.below(800);
        let length = match random.below(LONG_EVERY) {
            0 => length * 5,
            _ => length,
        };
        let words = self.words(number);
        let mut text = format!(
            "# {} {}\n\n",
            words.draw(&mut random),
            words.draw(&mut random)
        );
        for _ in 0..3 {
            let target = self.path(random.below(number + 1));
            text.push_str(&format!("- [{}](<{target}>)\n", words.draw(&mut random)));
        }
        while text.len() < length {
            text.push('\n');
            if random.below(8) == 0 {
                text.push_str(&format!("## {}\n\n", words.draw(&mut random)));
            }
            for _ in 0..=random.below(4) {
                self.sentence(number, &mut random, &mut text);
            }
            text.push('\n');
        }
        text
    }

    fn words(&self, number: usize) -> &Words {
        if number.is_multiple_of(2) {
            &self.kanji
        } else {
            &self.english
        }
    }

    fn sentence(&self, number: usize, random: &mut Random, text: &mut String) {
        let length = 4 + random.below(12);
        for at in 0..length {
            let word = self.word(number, random);
            if !number.is_multiple_of(2) {
                text.push_str(if at == 0 { "" } else { " " });
                text.push_str(&word);
                continue;
            }
            text.push_str(&word);
            let more = if at + 1 == length {
                &ENDINGS[..]
            } else {
                &PARTICLES
            };
            text.push_str(random.one_of(more));
            if random.below(6) == 0 && at + 1 < length {
                text.push('、');
            }
        }
        text.push_str(if number.is_multiple_of(2) {
            "。"
        } else {
            ". "
        });
    }

    /// Draws a word for a page. Japanese pages also contain katakana and Latin words; all pages contain
    /// numbers and identifiers.
    fn word(&self, number: usize, random: &mut Random) -> String {
        match (random.below(100), number.is_multiple_of(2)) {
            (0, _) => format!("{}", random.below(10_000)),
            (1, _) => format!(
                "{}-{}",
                self.english.draw(random),
                self.english.draw(random)
            ),
            (2..=13, true) => self.katakana.draw(random).to_owned(),
            (14..=16, true) => self.english.draw(random).to_owned(),
            (_, true) => self.kanji.draw(random).to_owned(),
            (_, false) => self.english.draw(random).to_owned(),
        }
    }

    /// Returns `count` queries of one, two, three and more characters in turns, cut out of the shown texts of
    /// the first `pages` pages.
    pub fn queries(
        &self,
        pages: usize,
        count: usize,
        shown: impl Fn(&str) -> String,
    ) -> Vec<String> {
        let mut random = Random::new(1 << 41);
        let mut queries = Vec::with_capacity(count);
        while queries.len() < count {
            let text = shown(&self.text(random.below(pages)));
            let characters: Vec<char> = text.chars().collect();
            let length = match queries.len() % 4 {
                3 => 4 + random.below(9),
                shorter => shorter + 1,
            };
            let start = random.below(characters.len());
            let typed: String = characters[start..].iter().take(length).collect();
            let is_whole = typed.chars().count() == length && typed.trim() == typed;
            // Characters with a meaning in the query syntax.
            let is_plain = !typed.contains(['"', '-', ':', '\n']);
            let has_words = typed.contains(|c: char| c.is_alphanumeric() && c != 'ー');
            if is_whole && is_plain && has_words {
                queries.push(typed);
            }
        }
        queries
    }
}
