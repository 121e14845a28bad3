// Lists the files below some of the project's folders.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** Paths relative to the project, sorted, with slashes everywhere; names may be files themselves, or missing. */
export function filesUnder(names) {
  return names.flatMap((name) => {
    const found = statSync(join(root, name), { throwIfNoEntry: false })
    if (!found) return []
    if (!found.isDirectory()) return [name]
    return filesUnder(
      readdirSync(join(root, name))
        .sort()
        .map((entry) => `${name}/${entry}`),
    )
  })
}
