/** Writes testimony tickets and testimonies directly to the database. */
import type { ServedShop } from '#test/fixtures/browser.ts'
import { using } from '#test/fixtures/processes.ts'

type Row = { id: string; name: string; text: string; isOpen?: boolean; at?: number }

export const addTestimonies = ({ database }: ServedShop, ...rows: Row[]) =>
  using(database, (db) => {
    for (const { id, name, text, isOpen = false, at = 0 } of rows) {
      db.prepare(
        `insert into testimonies (id, "writerId", "writerName", "writerEmail", "writerPhotoURL", testimony, "isAvailable", "isValidated", "showOnPage", "createdAt")
         values (?, 'w', ?, ?, '', ?, ?, 0, 0, ?)`,
      ).run(id, name, `${id}@Mail.test`, text, isOpen ? 1 : 0, Date.now() + at)
      db.prepare(
        `insert into "testimonyItems" ("testimonyId", position, "itemId", name) values (?, 0, 'sunflower-coaster', 'Sunflower Coaster')`,
      ).run(id)
    }
  })

// Makes a used testimony ticket of the demo shop usable again by deleting its testimony.

export const openTicket = ({ database }: Pick<ServedShop, 'database'>) =>
  using(database, (db) => {
    const writerEmail = 'henry@example.com'
    db.prepare(
      `update testimonies set "isAvailable" = 1, testimony = '' where "writerEmail" = ?`,
    ).run(writerEmail)
    const { id } = db
      .prepare(`select id from testimonies where "writerEmail" = ?`)
      .get(writerEmail) as { id: string }
    return { id, writerEmail }
  })
