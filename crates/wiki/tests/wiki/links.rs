//! Links: paths for people, ids for the store, and no link that changes its target in silence.

use fumikura_wiki::*;

use crate::support::Bench;

impl Bench {
    fn raw(&self, page: PageId) -> String {
        self.wiki.raw_source(page, None).unwrap().source
    }

    fn put(&self, page: PageId, source: &str) -> Saved {
        let lock = self.wiki.acquire_lock(page, self.aya).unwrap();
        self.wiki
            .save(self.by_token(page, lock.token, source))
            .unwrap()
    }
}

#[test]
fn a_link_to_a_page_is_kept_as_its_id_and_shown_as_its_path() {
    let bench = Bench::new();
    let garden = bench.page("/庭", "");
    let text = "[a](/庭?x#y) [b](../庭) [[/庭|c]] ![d](/%E5%BA%AD)\n\n[r]: </庭> 't'\n";
    let page = bench.page("/旅/京都", text);
    let id = format!("page:{garden}");
    assert_eq!(
        bench.raw(page),
        format!("[a]({id}?x#y) [b]({id}) [[{id}|c]] ![d]({id})\n\n[r]: <{id}> 't'\n")
    );
    let shown = "[a](/庭?x#y) [b](/庭) [[/庭|c]] ![d](/庭)\n\n[r]: </庭> 't'\n";
    assert_eq!(bench.text(page), shown);
    for again in [text, shown] {
        assert!(!bench.put(page, again).changed, "{again}");
    }
}

#[test]
fn a_new_page_binds_the_links_that_waited_for_it() {
    let bench = Bench::new();
    let page = bench.page("/a/b", "[x](c) [y](/a/c#z) [self](b)");
    assert_eq!(bench.text(page), "[x](c) [y](/a/c#z) [self](/a/b)");
    let c = bench.page("/a/c", "");
    assert_eq!(bench.text(page), "[x](/a/c) [y](/a/c#z) [self](/a/b)");
    assert!(bench.raw(page).starts_with("[x](c) [y](/a/c#z)"));
    assert!(!bench.put(page, "[x](c) [y](/a/c#z) [self](b)").changed);
    let shown = bench.text(page);
    assert!(!bench.put(page, &shown).changed);
    bench.put(page, "[x](c)");
    assert_eq!(bench.raw(page), format!("[x](page:{c})"));
}
