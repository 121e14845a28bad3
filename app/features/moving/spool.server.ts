/** The documents of an export, laid out in a temporary database: any order of the file, any size, each document found again by its id. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Collection, Fields, FoundDocument } from './moving.ts'

export type Spool = Awaited<ReturnType<typeof openSpool>>

export async function openSpool() {
  // The folder is for this user alone: conversations lie in it for a while.
  const folder = await mkdtemp(join(tmpdir(), 'moving-'))
  const db = new DatabaseSync(join(folder, 'documents.db'))
  db.exec('pragma journal_mode = off; pragma synchronous = off')
  db.exec('create table documents (place integer primary key, collection text, id text, fields text, unique (collection, id))')
  db.exec('begin')
  const insert = db.prepare('insert or ignore into documents (collection, id, fields) values (?, ?, ?)')
  const find = db.prepare('select 1 from documents where collection = ? and id = ?')
  const hash = createHash('sha256')
  return {
    /** False when a document of this id is there already. */
    add(collection: Collection, id: string, fields: Fields): boolean {
      const text = JSON.stringify(fields)
      hash.update(JSON.stringify([collection, id])).update(text)
      return insert.run(collection, id, text).changes === 1
    },
    has: (collection: Collection, id: string): boolean => find.get(collection, id) !== undefined,
    count: (collection: Collection): number =>
      db.prepare('select count(*) as count from documents where collection = ?').get(collection)!.count as number,
    /** In the order of the file. */
    *read(collection: Collection): Generator<FoundDocument> {
      for (const row of db.prepare('select id, fields from documents where collection = ? order by place').iterate(collection))
        yield { id: row.id as string, fields: JSON.parse(row.fields as string) as Fields }
    },
    /** Of everything that was added: the same export gives the same. */
    digest: () => hash.copy().digest('hex'),
    async remove() {
      db.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
