//! The list of all parts of the programs, in the format of CycloneDX.

use anyhow::Result;
use serde_json::{Value, json};

use super::NAME;
use crate::notices::{self, Registry, Work};

/// Returns the list as JSON.
pub(super) fn document() -> Result<String> {
    let components: Vec<Value> = notices::works()?.iter().map(component).collect();
    let version = env!("CARGO_PKG_VERSION");
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {
            "type": "application",
            "bom-ref": format!("{NAME}@{version}"),
            "name": NAME,
            "version": version,
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }},
        "components": components,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn component(work: &Work) -> Value {
    let Work { name, version, .. } = work;
    let purl = match work.registry {
        Registry::Cargo => format!("pkg:cargo/{name}@{version}"),
        // A scope begins with a character that addresses reserve.
        Registry::Npm => format!("pkg:npm/{}@{version}", name.replace('@', "%40")),
    };
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "licenses": [{"expression": work.licence.replace('/', " OR ")}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_listed_once() {
        let document: Value = serde_json::from_str(&document().unwrap()).unwrap();
        let components = document["components"].as_array().unwrap();
        let mut purls: Vec<&str> = components
            .iter()
            .map(|component| component["purl"].as_str().unwrap())
            .collect();
        assert!(purls.iter().any(|purl| purl.starts_with("pkg:cargo/redb@")));
        assert!(purls.iter().any(|purl| purl.starts_with("pkg:npm/svelte@")));
        let count = purls.len();
        purls.sort_unstable();
        purls.dedup();
        assert_eq!(purls.len(), count);
    }
}
