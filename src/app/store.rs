//! Writing files so that a crash, a full disk or a pulled plug leaves the old one or the new one, never half of it.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a whole file by way of a new one beside it: written, synced, renamed, and the folder synced. Makes the folder where there is none.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut new = tempfile::Builder::new()
        .prefix(".attention-tutor-")
        .tempfile_in(folder)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    // A temporary file is private; what the learner saves has the rights of any new file of hers, or those it had.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path).map_or(0o644, |old| old.permissions().mode());
        new.as_file()
            .set_permissions(fs::Permissions::from_mode(mode))?;
    }
    new.persist(path).map_err(|problem| problem.error)?;
    #[cfg(unix)]
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}
