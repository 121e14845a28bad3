/** A disk under the built shop that fills up, turns read-only, and fails to write or to flush: by a library of C that stands before the system's. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId15 } from '#app/platform/ids.ts'
import { openBrokenDisk, type DiskState } from '../broken-disk.ts'
import { corners } from '../drawn-pictures.ts'
import { newDataDir } from '../open-process.ts'
import { count, openShop, using } from '../shop-on-disk.ts'

test(
  'S-262 a disk that is full, read-only, fails to write or to flush: pages go on, writes answer 503 and leave nothing half, and all goes through once it is well',
  { timeout: 600_000 },
  async () => {
    const dataDir = await newDataDir()
    const disk = openBrokenDisk(dataDir)
    const { shop, path, owner, clara, visitor } = await openShop(dataDir, disk.env)
    const photo = new Uint8Array(await corners(300, 200).jpeg().toBuffer())
    const upload = () => {
      const form = new FormData()
      form.set('categoryId', 'wall')
      form.set('file', new File([photo], 'photo.jpg', { type: 'image/jpeg' }))
      return owner('/manage/item-picture', form)
    }
    const files = () => readdirSync(join(dataDir, 'files'), { recursive: true }).filter((name) => /\.\w+$/.test(String(name)))
    // A first one, so that the folders are there and the work on it is done.
    expect((await upload()).status).toBe(200)
    await expect.poll(() => count(path, `pictures where state = 'finished'`)).toBe(1)
    let stored = files().length

    for (const state of ['full', 'readonly', 'io', 'fsync'] satisfies DiskState[]) {
      disk.set(state)
      const message = { intent: 'send', message: `While ${state}`, messageId: newId15() }
      const request = { itemId: 'moon', message: `The moon, ${state}`, messageId: newId15() }
      const before = count(path, 'messages')
      for (const page of ['/', '/gallery/', '/item/moon/', '/about/']) expect((await visitor(page)).status, `${page} ${state}`).toBe(200)
      const sent = await clara('/messages.data', message)
      const asked = await clara('/order-request.data', request)
      const named = await clara('/account/name.data', { name: 'Clara Whitfield' })
      const liked = await clara('/favourite.data', { itemId: 'moon', wanted: 'yes' })
      const begun = await visitor('/login.data', { intent: 'register', email: `new-${state}@mail.test`, password: 'a-good-password' })
      const shown = await upload()
      for (const answer of [sent, asked, named, liked, begun, shown])
        expect(answer, state).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
      expect(asked.text).toContain('An Error Occured while Sending Order Request')
      expect(shown.text).toContain('An Error Occured while Uploading Image...')
      // Without script the words come back with the page, and a form that has no place for them says what is the matter.
      expect(await clara('/messages', { ...message, back: '/' })).toMatchObject({
        status: 503,
        text: expect.stringContaining(`While ${state}`),
      })
      const plain = await clara('/favourite', { itemId: 'moon', wanted: 'yes', back: '/' })
      expect(plain).toMatchObject({ status: 503, text: expect.stringContaining('The shop could not keep that just now') })
      expect([sent.text + asked.text + plain.text].join()).not.toMatch(/SQLITE|EROFS|ENOSPC|EIO|A knot came loose/)
      expect([count(path, 'messages'), count(path, 'favourites'), files().length], state).toEqual([before, 0, stored])

      disk.set('well')
      expect((await clara('/messages.data', message)).status, `after ${state}`).toBe(200)
      expect((await clara('/order-request.data', request)).status).toBe(200)
      expect((await upload()).status).toBe(200)
      for (const { messageId } of [message, request]) expect(count(path, 'messages where id = ?', messageId)).toBe(1)
      await expect.poll(() => count(path, `pictures where state <> 'finished'`)).toBe(0)
      stored = files().length
    }

    // A picture counts once its name has reached the disk too.
    disk.set('folder')
    expect((await upload()).status).toBe(503)
    disk.set('well')

    shop.kill('SIGTERM')
    expect(await shop.ended).toEqual({ code: 0, signal: null })
    expect(using(path, (db) => db.prepare('pragma integrity_check').all())).toEqual([{ integrity_check: 'ok' }])
    expect(files().filter((name) => String(name).endsWith('.part'))).toEqual([])
  },
)
