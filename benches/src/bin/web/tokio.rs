//! tokio, multi-thread.

use std::io;
use std::net::TcpListener;

use crate::http;
use crate::site::Site;
use crate::tokio_socket::TokioSocket;

/// Serves on so many worker threads; the main thread accepts.
pub(crate) fn serve(listener: TcpListener, site: &'static Site, threads: usize) -> io::Result<()> {
    let runtime = ::tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_io()
        .build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = ::tokio::net::TcpListener::from_std(listener)?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let mut socket = TokioSocket(stream);
            ::tokio::spawn(async move {
                let _open = site.connected();
                // A peer that breaks off hurts nobody.
                let _ = http::serve(&mut socket, site).await;
            });
        }
    })
}
