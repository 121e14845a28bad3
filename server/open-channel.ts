/** The live channel that fits the database: of one process, or of all that are open on the same PostgreSQL (043). */
import type { Db } from '#db/tables.ts'
import { openLive, type Live } from '#app/platform/live.server.ts'
import type { Log } from '#app/platform/log.server.ts'
import { openSharedLive } from '#app/platform/shared-live.server.ts'
import { markOfSecrets, type Secrets } from './secrets.ts'

type Setup = { db: Db; url: string | null; secrets: Secrets; log: Log }

/** `url` null: whoever writes is this process, or its commits tell by themselves. */
export async function openChannel({ db, url, secrets, log }: Setup): Promise<{ live: Live; close: () => Promise<void> }> {
  if (url === null) return { live: openLive(), close: async () => {} }
  const live = openSharedLive({ db, url, mark: markOfSecrets(secrets), log })
  if ((await live.start()) === 'other-mark')
    throw new Error(
      'Another process of this shop is open and has other secrets: SHOP_SECRET, or the folder DATA_DIR/secrets, must be the same',
    )
  return { live, close: live.close }
}
