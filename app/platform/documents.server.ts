import { data } from 'react-router'
import type { Parts } from './json-text.ts'
import type { Log } from './log.server.ts'

const COLLECTION_FAILED = 'could not fetch data'
const DOCUMENT_MISSING = 'DOCUMENT_NOT_EXIST'
const DOCUMENT_FAILED = 'FAILED_DOCUMENT'

/** ERR-01: throws the answer that the error page shows. */
export async function* readParts<Document>(log: Log, name: string, parts: Parts<Document>): AsyncGenerator<readonly Document[]> {
  try {
    yield* parts
  } catch (error) {
    log.error(COLLECTION_FAILED, error, { collection: name })
    throw data(COLLECTION_FAILED, { status: 500 })
  }
}

/** ERR-02, ERR-03: `read` gives null when there is no such document. */
export async function readDocument<Document>(log: Log, name: string, read: () => Promise<Document | null>): Promise<Document> {
  const document = await read().catch((error: unknown) => {
    log.error(DOCUMENT_FAILED, error, { collection: name })
    throw data(DOCUMENT_FAILED, { status: 500 })
  })
  if (document === null) throw data(DOCUMENT_MISSING, { status: 404 })
  return document
}
