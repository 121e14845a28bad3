/** Moves a shop's pictures from one place to the other: `npm run copy-files`. */
import { isStoredPath, type Files } from './files.server.ts'

/** What is there already is left: a path's bytes never change. An end in the middle is no harm; the next run goes on. */
export async function copyFiles(from: Files, to: Files): Promise<{ copied: number; there: number }> {
  const there = new Set((await to.list()).map(({ path }) => path))
  // What is being uploaded just now comes with the next run.
  const missing = (await from.list()).filter(({ path }) => isStoredPath(path) && !there.has(path))
  for (let first = 0; first < missing.length; first += 8)
    await Promise.all(
      missing.slice(first, first + 8).map(async ({ path }) => {
        const bytes = await from.read(path)
        if (bytes) await to.put(path, bytes)
      }),
    )
  return { copied: missing.length, there: there.size }
}
