//! Forms of one character that find each other: old and new forms of kanji, and radicals.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Old forms of kanji, each followed by the form of today: those in brackets in the list of kanji for general use
/// (常用漢字表, cabinet notice 2 of 2010), and such pairs of the kanji for names (人名用漢字) and of the simplified
/// forms for print (表外漢字字体表, 2000; JIS X 0208). Laws and notices of the state are not under copyright.
const KANJI: &str = "\
    乘乗亂乱亙亘亞亜佛仏來来俠侠俱倶倂併假仮傳伝僞偽價価儉倹儘侭兒児內内兩両册冊凜凛剝剥剩剰\
    劍剣劑剤勞労勳勲勵励勸勧區区卷巻卽即參参吳呉啞唖單単噓嘘嚙噛嚴厳囊嚢囑嘱圈圏國国圍囲圓円\
    圖図團団堯尭塡填增増墮堕壓圧壘塁壞壊壤壌壯壮壹壱壺壷壽寿奧奥奬奨娛娯孃嬢學学寢寝實実寫写\
    寬寛寶宝將将專専對対尙尚屆届屛屏屬属峽峡嶽岳巖巌巢巣帶帯幷并廢廃廣広廳庁彈弾彌弥彎弯彥彦\
    徑径從従徵徴德徳恆恒悅悦惠恵惡悪惱悩愼慎慘惨應応懷懐戀恋戰戦戲戯戶戸戾戻拂払拔抜拜拝挾挟\
    插挿揭掲搔掻搖揺搜捜摑掴擇択擊撃擔担據拠擧挙擴拡攝摂攢攅攪撹收収效効敍叙敎教敕勅數数斷断\
    旣既晉晋晝昼曆暦曉暁曾曽會会枡桝條条棧桟榮栄槇槙槪概樂楽樓楼樞枢樣様橫横檜桧檢検櫻桜權権\
    歐欧歡歓步歩歲歳歷歴歸帰殘残殼殻毆殴每毎氣気沒没涉渉淚涙淨浄淸清淺浅渴渇溪渓溫温滯滞滿満\
    潛潜澁渋澤沢濕湿濟済濤涛濱浜濾沪瀆涜瀧滝瀨瀬灣湾焰焔燈灯燒焼營営爐炉爭争爲為犧犠狀状狹狭\
    獎奨獨独獵猟獸獣獻献瑤瑶瓣弁甁瓶產産畫画當当疊畳瘦痩癡痴發発盜盗盡尽眞真硏研碎砕祕秘祿禄\
    禪禅禮礼禱祷稅税稱称稻稲穎頴穗穂穩穏穰穣竊窃竝並籠篭粹粋絕絶絲糸經経綠緑緖緒緣縁縣県縱縦\
    總総繡繍繪絵繫繋繼継續続纖繊缺欠罐缶聰聡聲声聽聴肅粛脫脱腦脳膽胆臟臓臺台與与舊旧舖舗艷艶\
    莊荘莖茎萊莱萬万蔣蒋薰薫藏蔵藝芸藥薬蘆芦處処虛虚號号螢蛍蟬蝉蟲虫蠟蝋蠶蚕蠻蛮衞衛裝装襃褒\
    覺覚覽覧觀観觸触說説謠謡證証譯訳譽誉讀読變変讓譲豐豊豫予貳弐賣売賤賎賴頼贊賛踐践軀躯輕軽\
    轉転辨弁辭辞辯弁遙遥遞逓遲遅邊辺郞郎鄕郷醉酔醫医醬醤釀醸釋釈銳鋭錄録錢銭鍊錬鎭鎮鐵鉄鑄鋳\
    鑛鉱閱閲關関陷陥隨随險険隱隠隸隷雙双雜雑霸覇靈霊靑青靜静頰頬顏顔顚顛顯顕飜翻餘余餠餅騷騒\
    驅駆驒騨驗験驛駅髓髄體体髮髪鬪闘鰺鯵鷄鶏鷗鴎鹼鹸鹽塩麥麦麪麺麴麹麵麺黃黄黑黒默黙點点黨党\
    齊斉齋斎齒歯齡齢龍竜";

/// Radicals and strokes, which some PDFs contain in the place of kanji, each followed by the kanji: the property
/// `Equivalent_Unified_Ideograph` of the Unicode Character Database 14.0, without those that NFKC replaces.
/// © Unicode, Inc., under the Unicode License v3 (<https://www.unicode.org/license.txt>).
const RADICALS: &str = "\
    ⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇𠘨⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑𡯂⺒巳⺓幺⺔彑⺕彐⺖忄\
    ⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪𤴔⺫目⺬示⺭礻⺮𥫗\
    ⺯糹⺰纟⺱罓⺲罒⺳㓁⺴冗⺵𦉫⺶羊⺷𦍌⺸𦍋⺹耂⺺肀⺻聿⺼肉⺽𦥑⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西\
    ⻅见⻆角⻇𧢲⻈讠⻉贝⻊𧾷⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻕𨸏⻖阝⻗雨⻘青⻙韦⻚页\
    ⻛风⻜飞⻝食⻞𩙿⻟飠⻠饣⻡𩠐⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙\
    ⻱龜⻲亀㇆𠃌㇏乀㇐一㇑丨㇒丿㇓丿㇔丶㇕𠃍㇖乛㇗𠃊㇘𠃎㇙𠄌㇚亅㇛𡿨㇜𠃋㇝乀㇞𠃑㇟乚㇠乙㇡𠄎";

/// The first and the last kanji with another form.
const BLOCK: std::ops::RangeInclusive<char> = '\u{4E00}'..='\u{9FFF}';

/// The form of today of each kanji from the first of [`BLOCK`] on. Each kanji of a text is looked up.
static FORMS: LazyLock<Vec<char>> = LazyLock::new(|| {
    let others = pairs(KANJI);
    BLOCK
        .map(|kanji| others.get(&kanji).copied().unwrap_or(kanji))
        .collect()
});

static IDEOGRAPHS: LazyLock<HashMap<char, char>> = LazyLock::new(|| pairs(RADICALS));

fn pairs(list: &str) -> HashMap<char, char> {
    let from = list.chars().step_by(2);
    from.zip(list.chars().skip(1).step_by(2)).collect()
}

/// Returns the form of today of a kanji, and the kanji that a radical shows. Other characters are returned as they
/// are.
pub(crate) fn common_form(c: char) -> char {
    let kanji = match c {
        '\u{2E80}'..='\u{2EFF}' | '\u{31C0}'..='\u{31EF}' => {
            IDEOGRAPHS.get(&c).copied().unwrap_or(c)
        }
        c => c,
    };
    match BLOCK.contains(&kanji) {
        true => FORMS[kanji as usize - *BLOCK.start() as usize],
        false => kanji,
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn forms_of_one_character_are_equal() {
        let same = "鐵鉄 國国 學学 辯弁 瓣弁 鷗鴎 ⻑長 ⻘青 ⻩黄 ㇐一 京京 aa";
        for pair in same.split(' ') {
            let [a, b] = pair.chars().collect::<Vec<_>>()[..] else {
                panic!("{pair:?} is not a pair");
            };
            assert_eq!(common_form(a), b, "{pair}");
        }
    }

    #[test]
    fn tables_have_no_chains() {
        for list in [KANJI, RADICALS] {
            let pairs = pairs(list);
            assert_eq!(pairs.len(), list.chars().count() / 2);
            for (from, to) in pairs {
                assert_eq!(from.to_string().nfkc().to_string(), from.to_string());
                assert_eq!(common_form(from), common_form(to));
                assert_eq!(common_form(common_form(to)), common_form(to));
            }
        }
    }
}
