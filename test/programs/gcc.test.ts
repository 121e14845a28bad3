/**
 * Tests the shop on a failing disk. A library, which LD_PRELOAD loads, intercepts the file
 * operations and makes them fail.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import { openBrokenDisk, type DiskState } from '#test/fixtures/storage.ts'
import { corners } from '#test/fixtures/images.ts'
import { count, newDataDir, openShop, using } from '#test/fixtures/processes.ts'

async function openShopOnDisk() {
  const dataDir = await newDataDir()
  const disk = openBrokenDisk(dataDir)
  const opened = await openShop(dataDir, disk.env)
  const photo = new Uint8Array(await corners(300, 200).jpeg().toBuffer())
  const upload = () => {
    const form = new FormData()
    form.set('categoryId', 'wall')
    form.set('file', new File([photo], 'photo.jpg', { type: 'image/jpeg' }))
    return opened.owner('/manage/item-picture', form)
  }
  const files = () =>
    readdirSync(join(dataDir, 'files'), { recursive: true }).filter((name) =>
      /\.\w+$/.test(String(name)),
    )
  expect((await upload()).status).toBe(200)
  // Waits until all images are resized, because the number of files must not change while the
  // disk fails.
  await expect
    .poll(() => count(opened.path, `images where state <> 'finished'`), { timeout: 60_000 })
    .toBe(0)
  return { ...opened, disk, upload, files }
}

test.each<[what: string, state: DiskState]>([
  ['is full', 'full'],
  ['is read-only', 'readonly'],
  ['fails to write', 'io'],
  ['fails to flush', 'fsync'],
])(
  'while the disk %s, the shop shows pages and refuses writes with 503, and then recovers [S-262]',
  async (_, state) => {
    const { shop, path, clara, visitor, disk, upload, files } = await openShopOnDisk()
    const message = { intent: 'send', message: `While ${state}`, messageId: newId15() }
    const request = { itemId: 'moon', message: `The moon, ${state}`, messageId: newId15() }
    const liked = { itemId: 'moon', wanted: 'yes' }
    const stored = () => [count(path, 'messages'), count(path, 'favorites'), files().length]
    const before = stored()
    disk.set(state)
    for (const page of ['/', '/gallery/', '/item/moon/', '/about/']) {
      expect((await visitor(page)).status, page).toBe(200)
    }
    const asked = await clara('/order-request.data', request)
    const uploaded = await upload()
    const answers = [
      ...[
        asked,
        uploaded,
        await clara('/messages.data', message),
        await clara('/favourite.data', liked),
      ],
      await clara('/account/name.data', { name: 'Clara Whitfield' }),
      await visitor('/login.data', {
        intent: 'register',
        email: 'new@mail.test',
        password: 'a-good-password',
      }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    }
    expect(asked.text).toContain('An Error Occured while Sending Order Request')
    expect(uploaded.text).toContain('An Error Occured while Uploading Image...')
    // Without JavaScript, the message form shows the typed text again. The favorite form contains
    // no text, so the response is an error page.
    const plain = [
      await clara('/messages', { ...message, back: '/' }),
      await clara('/favourite', { ...liked, back: '/' }),
    ]
    expect(plain.map(({ status }) => status)).toEqual([503, 503])
    expect(plain[0]!.text).toContain(`While ${state}`)
    expect(plain[1]!.text).toContain('The shop could not save that just now')
    expect([...answers, ...plain].map(({ text }) => text).join()).not.toMatch(
      /SQLITE|EROFS|ENOSPC|EIO|Something went wrong/,
    )
    expect(stored()).toEqual(before)

    disk.set('well')
    expect((await clara('/messages.data', message)).status).toBe(200)
    expect((await clara('/order-request.data', request)).status).toBe(200)
    expect((await upload()).status).toBe(200)
    for (const { messageId } of [message, request]) {
      expect(count(path, 'messages where id = ?', messageId)).toBe(1)
    }
    expect(await shop.stop()).toEqual({ code: 0, signal: null })
    expect(using(path, (db) => db.prepare('pragma integrity_check').all())).toEqual([
      { integrity_check: 'ok' },
    ])
    expect(files().filter((name) => String(name).endsWith('.part'))).toEqual([])
  },
)

test('the shop refuses an upload if the disk stores the file but not the folder entry with its name [S-262]', async () => {
  const { disk, upload } = await openShopOnDisk()
  disk.set('folder')
  expect((await upload()).status).toBe(503)
})
