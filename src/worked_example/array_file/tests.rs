//! What the readers of array files promise, file by file.
