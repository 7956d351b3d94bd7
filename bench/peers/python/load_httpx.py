"""The loads of bench/peers by httpx, as its documentation has it: one AsyncClient for all, with as many connections as
are wanted; a large body is streamed.

usage: load_httpx.py LOAD URL N CONCURRENCY
"""
import asyncio
import sys

import httpx


async def get(client, url, large):
    if not large:
        response = await client.get(url)
        response.raise_for_status()
        return len(response.content)
    got = 0
    async with client.stream("GET", url) as response:
        response.raise_for_status()
        async for piece in response.aiter_bytes():
            got += len(piece)
    return got


async def worker(client, url, large, jobs, sizes):
    for _ in jobs:
        sizes.append(await get(client, url, large))


async def main(load, url, n, concurrency):
    jobs, sizes = iter(range(n)), []
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with httpx.AsyncClient(limits=limits, timeout=None) as client:
        await asyncio.gather(*(worker(client, url, load == "big", jobs, sizes) for _ in range(concurrency)))
    print(f"done={len(sizes)} bytes={sum(sizes)}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
