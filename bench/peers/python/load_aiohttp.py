"""The loads of bench/peers by aiohttp, as its documentation has it: one ClientSession for all, whose connector allows as
many connections as are wanted; a large body is read in the pieces in which it comes.

usage: load_aiohttp.py LOAD URL N CONCURRENCY
"""
import asyncio
import sys

import aiohttp


async def get(session, url, large):
    async with session.get(url) as response:
        response.raise_for_status()
        if not large:
            return len(await response.read())
        got = 0
        async for piece in response.content.iter_any():
            got += len(piece)
        return got


async def worker(session, url, large, jobs, sizes):
    for _ in jobs:
        sizes.append(await get(session, url, large))


async def main(load, url, n, concurrency):
    jobs, sizes = iter(range(n)), []
    connector = aiohttp.TCPConnector(limit=concurrency)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        await asyncio.gather(*(worker(session, url, load == "big", jobs, sizes) for _ in range(concurrency)))
    print(f"done={len(sizes)} bytes={sum(sizes)}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
