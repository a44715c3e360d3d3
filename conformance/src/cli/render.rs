//! `report`: pages from results.

use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::folder::Folder;
use crate::os::disk;
use crate::report::{self, Column, Depth, Matrix};
use crate::{Error, ErrorKind};

pub(super) fn render(
    folder: &Folder,
    results: &[PathBuf],
    html: Option<&Path>,
    depth: Depth,
    markdown: Option<&Path>,
    junit: Option<&Path>,
) -> Result<Exit, Error> {
    let columns = results
        .iter()
        .map(|file| report::read(&disk::text(file)?).map_err(|error| error.within(file)))
        .collect::<Result<Vec<_>, _>>()?;
    let matrix = Matrix::new(&folder.spec, &folder.sources, &columns);
    if let Some(file) = html {
        disk::write(file, report::page(&matrix, depth))?;
    }
    if let Some(file) = markdown {
        disk::write(file, report::markdown(&matrix))?;
    }
    match (junit, columns.as_slice()) {
        (None, _) => {}
        (Some(file), [Column::Ran(report)]) => disk::write(file, report::junit(report))?,
        (Some(_), _) => {
            return Err(Error::new(
                ErrorKind::Usage,
                "JUnit is made of one file of results",
            ));
        }
    }
    for column in &columns {
        match column {
            Column::Ran(report) => print!("{}", report::table(report)),
            Column::NotRun(note) => println!("subject {}\n\nnot run: {}", note.subject, note.why),
        }
    }
    Ok(Exit::Conforms)
}
