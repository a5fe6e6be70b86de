//! curves TITLE X Y UNTIL PICTURE NAME=X:Y,X:Y… …: draws curves given as points. For `benches/memory.sh`.

use std::process::ExitCode;

use tine_report::plot::{Curve, Plot};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match draw(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("curves: {why}");
            ExitCode::from(2)
        }
    }
}

fn draw(words: &[String]) -> Result<(), String> {
    let [title, x, y, until, picture, curves @ ..] = words else {
        return Err("usage: curves TITLE X Y UNTIL PICTURE NAME=X:Y,X:Y… …".to_owned());
    };
    let until = until.parse().map_err(|_| format!("`{until}` is not a number"))?;
    let curves = curves.iter().map(|word| curve(word)).collect::<Result<_, _>>()?;
    let plot = Plot { title: title.clone(), x: x.clone(), y: y.clone(), until, curves };
    std::fs::write(picture, plot.svg()).map_err(|why| format!("{picture}: {why}"))
}

fn curve(word: &str) -> Result<(String, Curve), String> {
    let (name, points) = word.split_once('=').ok_or_else(|| format!("`{word}` is not NAME=X:Y,…"))?;
    let point = |text: &str| {
        let (x, y) = text.split_once(':')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let points = points.split(',').map(|text| point(text).ok_or_else(|| format!("`{text}` is not a point X:Y")));
    Ok((name.to_owned(), points.collect::<Result<_, _>>()?))
}
