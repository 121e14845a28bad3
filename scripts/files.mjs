// Lists the files in some of the project's folders.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** Returns paths relative to the project, sorted, with slashes on every system. Names may also be files, or may not exist. */
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
