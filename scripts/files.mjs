import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * Returns sorted paths relative to the project, with slashes on every system. A name may also be a
 * file, or may not exist.
 */
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
