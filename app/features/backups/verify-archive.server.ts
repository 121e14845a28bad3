/** Reads an archive from front to end and compares everything with its checksums; nothing is written (045). */
import { createHash } from 'node:crypto'
import { MANIFEST, tableEntry } from './archive.ts'
import { UnusableArchive, type Archive } from './read-archive.server.ts'

export type Verified = { rows: number; files: number; tables: number }

/** Throws an UnusableArchive that says what is wrong. */
export async function verifyArchive(archive: Archive): Promise<Verified> {
  const rowsOf = new Map(Object.entries(archive.manifest.tables).map(([table, { rows }]) => [tableEntry(table), rows]))
  let rows = 0
  for (const [entry, sum] of archive.sums) {
    if (entry === MANIFEST) continue
    const found = await readThrough(archive, entry)
    if (found.sum !== sum) throw new UnusableArchive(`${archive.name} is damaged: the checksum of ${entry} is wrong`)
    const wanted = rowsOf.get(entry)
    if (wanted === undefined) continue
    if (found.lines !== wanted) throw new UnusableArchive(`${archive.name} is damaged: ${entry} has ${found.lines} rows, not ${wanted}`)
    rows += wanted
  }
  return { rows, files: archive.files.length, tables: rowsOf.size }
}

async function readThrough(archive: Archive, entry: string): Promise<{ sum: string; lines: number }> {
  const hash = createHash('sha256')
  let lines = 0
  try {
    for await (const part of await archive.open(entry)) {
      const bytes = part as Buffer
      hash.update(bytes)
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
    }
  } catch (error) {
    throw new UnusableArchive(`${archive.name} is damaged: ${entry} cannot be read (${(error as Error).message})`)
  }
  return { sum: hash.digest('hex'), lines }
}
