//! get: the loads of bench/peers by reqwest on Tokio's runtime, as reqwest's documentation has it: one Client for all,
//! which keeps its connections; a large body is taken in the pieces in which it comes.
//!
//! usage: get LOAD URL N CONCURRENCY

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

struct Work {
    client: reqwest::Client,
    url: String,
    large: bool,
    n: u64,
    begun: AtomicU64,
    done: AtomicU64,
    bytes: AtomicU64,
}

async fn get(work: &Work) -> Result<u64, reqwest::Error> {
    let mut response = work.client.get(&work.url).send().await?.error_for_status()?;
    if !work.large {
        return Ok(response.bytes().await?.len() as u64);
    }
    let mut got = 0;
    while let Some(piece) = response.chunk().await? {
        got += piece.len() as u64;
    }
    Ok(got)
}

async fn worker(work: Arc<Work>) -> Result<(), reqwest::Error> {
    while work.begun.fetch_add(1, Ordering::Relaxed) < work.n {
        let got = get(&work).await?;
        work.done.fetch_add(1, Ordering::Relaxed);
        work.bytes.fetch_add(got, Ordering::Relaxed);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, load, url, n, concurrency] = &arguments[..] else {
        return Err("usage: get LOAD URL N CONCURRENCY".into());
    };
    let work = Arc::new(Work {
        client: reqwest::Client::new(),
        url: url.clone(),
        large: load == "big",
        n: n.parse()?,
        begun: AtomicU64::new(0),
        done: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
    });
    let workers: Vec<_> = (0..concurrency.parse::<u64>()?).map(|_| tokio::spawn(worker(work.clone()))).collect();
    for one in workers {
        one.await??;
    }
    println!("done={} bytes={}", work.done.load(Ordering::Relaxed), work.bytes.load(Ordering::Relaxed));
    Ok(())
}
