/** The library that reads and writes pictures, loaded with the first of them: a shop at rest does without its memory (040). */
import type Sharp from 'sharp'

let loaded: Promise<typeof Sharp> | null = null

export function openSharp(): Promise<typeof Sharp> {
  loaded ??= load().catch((error: unknown) => {
    // What kept it from being read may have passed when the next picture comes.
    loaded = null
    throw error
  })
  return loaded
}

async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // One picture never takes all cores, and none is ever asked for a second time.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
