// Reads from the start command in package.json how the memory of the shop's process is limited.
// `npm start`, the benchmark and the tests start the shop with these limits.
import { readFileSync } from 'node:fs'

const { start } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).scripts

export const memoryOptions = start.match(/--max-[a-z-]+=\d+/g)

/** Environment variables for the memory allocator of glibc. Other allocators ignore them. */
export const memoryEnvironment = Object.fromEntries(
  start.match(/MALLOC_\w+=\d+/g).map((setting) => setting.split('=')),
)
