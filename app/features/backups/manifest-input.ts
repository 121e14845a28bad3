/** What the manifest and the checksums of an archive must look like; whoever sent the archive may have written anything. */
import { z } from 'zod'
import { REASONS } from './archive.ts'

const count = z.number().int().min(0)
const name = z.string().regex(/^\w{1,100}$/)

export const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  reason: z.enum(REASONS),
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string().max(200)).min(1).max(10_000),
  tables: z.record(name, z.object({ rows: count, columns: z.array(name).min(1).max(1000) })),
  files: z.object({ count, bytes: count, missing: z.array(z.string().max(300)) }),
})
export type Manifest = z.infer<typeof Manifest>

/** The lines of `sha256sum`: the sum, two spaces, the name. null: something else stands in it. */
export function readSums(text: string): Map<string, string> | null {
  const sums = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, sum, file] = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(line) ?? []
    if (!sum || !file || sums.has(file)) return null
    sums.set(file, sum)
  }
  return sums
}
