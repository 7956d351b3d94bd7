// The loads of bench/peers by undici, as its documentation has it: request() through one Agent, which has as many
// connections as are wanted; each body is consumed, a large one in the pieces in which it comes.
//
// usage: node get.js LOAD URL N CONCURRENCY
import { Agent, request } from 'undici'

const [load, url, n, concurrency] = process.argv.slice(2)
const dispatcher = new Agent({ connections: Number(concurrency) })
let begun = 0
let done = 0
let bytes = 0

async function get () {
  const { statusCode, body } = await request(url, { dispatcher })
  if (statusCode !== 200) {
    throw new Error(`${url}: ${statusCode}`)
  }
  if (load !== 'big') {
    return (await body.arrayBuffer()).byteLength
  }
  let got = 0
  for await (const piece of body) {
    got += piece.length
  }
  return got
}

async function worker () {
  while (begun++ < Number(n)) {
    const got = await get()
    bytes += got // not in one: it would read bytes first, and others add to it meanwhile
    done++
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, worker))
await dispatcher.close()
console.log(`done=${done} bytes=${bytes}`)
