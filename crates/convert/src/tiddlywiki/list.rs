//! Lists of titles: `[[a title]] another`.

/// Returns the titles of a list.
pub(super) fn titles(list: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut rest = list.trim_start();
    while !rest.is_empty() {
        let (title, after) = match rest
            .strip_prefix("[[")
            .and_then(|inner| inner.split_once("]]"))
        {
            Some((title, after)) => (title, after),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        titles.push(title.to_owned());
        rest = after.trim_start();
    }
    titles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_with_blanks_are_in_brackets() {
        assert_eq!(titles("a [[b c]] 京都 [[d"), ["a", "b c", "京都", "[[d"]);
        assert!(titles(" ").is_empty());
    }
}
