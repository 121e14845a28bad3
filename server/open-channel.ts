/** The change bus that fits the database: of one process, or of all that are open on the same PostgreSQL (051). */
import type { Db } from '#db/schema.ts'
import { createPostgresChangeBus } from '#app/lib/realtime/postgres-change-bus.server.ts'
import { openLive, topicRules, type Live } from '#app/platform/live.server.ts'
import type { Log } from '#app/platform/log.server.ts'
import { markOfSecrets, type Secrets } from './secrets.ts'

type Setup = { db: Db; url: string | null; secrets: Secrets; log: Log }

/** `url` null: all who write are in this process. */
export async function openChannel({ db, url, secrets, log }: Setup): Promise<{ live: Live; close: () => Promise<void> }> {
  if (url === null) return { live: openLive(), close: async () => {} }
  const live = createPostgresChangeBus({ db, url, fingerprint: markOfSecrets(secrets), topics: topicRules, log })
  if (await live.start()) return { live, close: live.close }
  await live.close()
  throw new Error(
    'Another process of this shop is open and has other secrets: SHOP_SECRET, or the folder DATA_DIR/secrets, must be the same',
  )
}
