// The formats of pictures. Generated from `crates/image/src/formats/` by `cargo xtask gen`.

export const PICTURE_FORMATS = [
  { label: "JPEG", filter: "jpeg", mime: "image/jpeg", extensions: ["jpg", "jpeg", "jpe", "jfif"] },
  { label: "PNG", filter: "png", mime: "image/png", extensions: ["png", "apng"] },
  { label: "GIF", filter: "gif", mime: "image/gif", extensions: ["gif"] },
  { label: "WebP", filter: "webp", mime: "image/webp", extensions: ["webp"] },
  { label: "AVIF", filter: "avif", mime: "image/avif", extensions: ["avif"] },
  { label: "HEIC", filter: "heic", mime: "image/heif", extensions: ["heic", "heif", "hif"] },
  { label: "JPEG XL", filter: "jxl", mime: "image/jxl", extensions: ["jxl"] },
  { label: "TIFF", filter: "tiff", mime: "image/tiff", extensions: ["tif", "tiff"] },
  { label: "BMP", filter: "bmp", mime: "image/bmp", extensions: ["bmp"] },
  { label: "ICO", filter: "ico", mime: "image/vnd.microsoft.icon", extensions: ["ico"] },
  { label: "SVG", filter: "svg", mime: "image/svg+xml", extensions: ["svg"] },
  { label: "SVG", filter: "svg", mime: "image/svg+xml-compressed", extensions: ["svgz"] },
  { label: "RAW", filter: "raw", mime: "image/x-dcraw", extensions: ["dng", "nef", "arw", "pef", "orf", "rw2", "cr2", "cr3", "raf"] },
] as const;
