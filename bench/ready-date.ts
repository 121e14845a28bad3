/**
 * Measures how much the text 'Ready about …' slows down an item page while the queue has many
 * pieces.
 */
import { mkdir } from 'node:fs/promises'
import { saveSettings } from '../app/features/settings/settings.server.ts'
import { readReadyNote } from '../app/features/production-queue/production-queue.server.ts'
import { openSqliteDatabase } from '../app/services/database.server.ts'
import { createLive } from '../app/services/live-topics.server.ts'
import { migrate } from '../db/migrate.ts'
import type { Named } from './checks.ts'

const OFFERS = 250
const LINES = 4
const PAGES = 10_000

export async function measureReadyDate(dataDir: string): Promise<Named> {
  await mkdir(dataDir, { recursive: true })
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  try {
    await migrate(db, dialect)
    await saveSettings(db, { piecesPerWeek: '5' }, 1)
    const times = { createdAt: 1, firstCreatedAt: 1 }
    const person = {
      id: 'o',
      userId: null,
      userName: 'Ann',
      userEmail: '',
      userPhotoURL: '',
      receiptTag: null,
    }
    await db
      .insertInto('orders')
      .values({
        ...person,
        ...times,
        isClosed: false,
        fromContactPage: false,
        lastSeq: 0,
        lastMessageAt: 1,
      })
      .execute()
    for (let at = 0; at < OFFERS; at++) {
      const offer = {
        id: `offer${at}`,
        orderId: 'o',
        state: 'accepted',
        shippingCents: 0,
        isShipped: false,
        depositCents: 0,
      } as const
      await db
        .insertInto('offers')
        .values({
          ...offer,
          creditCode: null,
          creditCents: 0,
          soldDifferenceCents: 0,
          readyBy: '',
          validUntil: 1,
          createdAt: 1,
          changedAt: 1,
        })
        .execute()
      for (let line = 1; line <= LINES; line++) {
        const text = { itemId: '', name: 'Moon wall', color: '', notes: '' }
        await db
          .insertInto('offerLines')
          .values({ offerId: offer.id, position: line, ...text, quantity: 1, priceCents: 100 })
          .execute()
        await db
          .insertInto('queueEntries')
          .values({ offerId: offer.id, line, position: at * LINES + line, handedOverAt: null })
          .execute()
      }
    }
    const app = { db, live: createLive(), now: Date.now, timeZone: 'America/New_York' }
    // The first call reads the queue and is not measured. The following calls use the cache.
    await readReadyNote(app, { kind: 'made-to-order', state: 'listed' })
    const begun = performance.now()
    for (let page = 0; page < PAGES; page++) {
      await readReadyNote(app, { kind: 'made-to-order', state: 'listed' })
    }
    return { name: `${OFFERS * LINES} pieces to make`, value: (performance.now() - begun) / PAGES }
  } finally {
    await close()
  }
}
