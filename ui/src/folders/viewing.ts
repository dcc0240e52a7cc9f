// The keys of a picture that is shown large.
export const INFO_KEY = "i";
