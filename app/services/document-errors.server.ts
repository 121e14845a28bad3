import { data } from 'react-router'
import type { Batches } from '#app/lib/http/streamed-json.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'

const COLLECTION_FAILED = 'could not fetch data'
const DOCUMENT_MISSING = 'DOCUMENT_NOT_EXIST'
const DOCUMENT_FAILED = 'FAILED_DOCUMENT'

/** Yields the documents of a collection. If reading fails, throws the error that the specification requires. [ERR-01] */
export async function* readCollectionOrThrow<Document>(
  log: Log,
  name: string,
  parts: Batches<Document>,
): AsyncGenerator<readonly Document[]> {
  try {
    yield* parts
  } catch (error) {
    log.error(COLLECTION_FAILED, error, { collection: name })
    throw data(COLLECTION_FAILED, { status: 500 })
  }
}

/** Returns a document. If reading fails or `read` returns null, throws the errors that the specification requires. [ERR-02, ERR-03] */
export async function readDocumentOrThrow<Document>(
  log: Log,
  name: string,
  read: () => Promise<Document | null>,
): Promise<Document> {
  const document = await read().catch((error: unknown) => {
    log.error(DOCUMENT_FAILED, error, { collection: name })
    throw data(DOCUMENT_FAILED, { status: 500 })
  })
  if (document === null) throw data(DOCUMENT_MISSING, { status: 404 })
  return document
}
