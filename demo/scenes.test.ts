import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory, addImage } from '#test/fixtures/catalog.ts'
import { formOf } from '#test/fixtures/html.ts'
import { corners, longGif, photo, storedPaths } from '#test/fixtures/images.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { MAX_UPLOAD_BYTES } from '#services/image-paths.ts'
import { ensureScenes } from './images.server.ts'
import { imageErrorTexts } from '#images/owner-texts.ts'

const square = new Uint8Array(await corners(200, 200).png().toBuffer())

async function open() {
  const shop = await openTestShop()
  await ensureScenes(shop.shop)
  const owner = await shop.owner()
  const send = (scene: string, file: File) =>
    owner.act('/manage/home/', formOf({ intent: 'image', scene, file }))
  /**
   * Returns the paths of uploaded images. Only the default images have a hyphen in their names.
   */
  const uploads = async () => (await storedPaths(shop)).filter((path) => !path.includes('-'))
  return { ...shop, owner, send, uploads }
}

test('when the owner replaces a wallpaper or returns to the default wallpaper, the unused files are deleted [OWN-14]', async () => {
  const { send, uploads, visitor, owner, db } = await open()
  expect((await send('wallpaper-dark', photo())).status).toBe(200)
  const [first, ...others] = await uploads()
  expect(others).toEqual([])
  expect(await visitor().page('/')).toContain(`/pictures/${first}`)
  await send('wallpaper-dark', photo())
  const [second] = await uploads()
  expect(second === first).toBe(false)
  expect((await uploads()).length).toBe(1)
  const light = visitor()
  light.cookies.set('theme', 'light')
  expect(await light.page('/')).toContain('/pictures/scenes/wallpaper-light.avif')
  expect(
    (await owner.act('/manage/home/', { intent: 'default-image', scene: 'wallpaper-dark' })).status,
  ).toBe(200)
  expect(await uploads()).toEqual([])
  expect(await visitor().page('/')).toContain('/pictures/scenes/wallpaper-dark.avif')
  expect((await db.selectFrom('audit').select('name').execute()).map(({ name }) => name)).toEqual(
    Array(3).fill('Wallpaper of the dark theme'),
  )
})

test('the owner replaces the picture of a section of Home, and returns to the default picture of this section [OWN-126]', async () => {
  const { send, uploads, visitor, owner } = await open()
  const images = async () =>
    [
      ...(await visitor().page('/')).matchAll(
        /<section[^>]*aria-label="Every [\s\S]*?<img[^>]*src="([^"]*)"/g,
      ),
    ].map(([, src]) => src)
  const [first, second] = await images()
  expect(first).toEqual(expect.stringContaining('scenes/slide-1'))
  expect(second).toEqual(expect.stringContaining('scenes/slide-4'))
  expect((await send('section-2', photo())).status).toBe(200)
  expect(await images()).toEqual([first, expect.stringContaining((await uploads())[0]!)])
  expect(await owner.page('/manage/home/')).toContain(
    'Back to the default: Picture of the second section',
  )
  expect(
    (await owner.act('/manage/home/', { intent: 'default-image', scene: 'section-2' })).status,
  ).toBe(200)
  expect(await images()).toEqual([first, second])
  expect(await uploads()).toEqual([])
  expect((await send('section-3', photo())).status).toBe(404)
})

test('when the owner replaces a picture of About, the new picture appears in the place of the old one [OWN-11, OWN-14, ABOUT-02]', async () => {
  const { owner, visitor, uploads } = await open()
  expect(
    (
      await owner.act(
        '/manage/about/',
        formOf({ intent: 'image', scene: 'slide-3', file: photo() }),
      )
    ).status,
  ).toBe(200)
  const [path] = await uploads()
  expect((await visitor().page('/about/')).split('role="group"')).toHaveLength(6)
  expect(await visitor().page('/about/')).toMatch(
    new RegExp(`id="slide-3"[\\s\\S]*${path}[\\s\\S]*id="slide-4"`),
  )
})

test.each([
  ['/manage/home/', '/manage/home/', 'Picture saved', { intent: 'image', scene: 'wallpaper-dark' }],
  ['/manage/about/', '/manage/about/', 'Picture saved', { intent: 'image', scene: 'slide-1' }],
  ['/manage/category/', '/manage/category/', 'Picture saved', { intent: 'image', id: 'bags' }],
  [
    '/manage/home/',
    '/manage/home/',
    'Picture saved',
    { intent: 'save-circle', id: 'showcase-bags', title: '' },
  ],
  ['/manage/logo', '/manage/settings/', 'Logo saved', {}],
])(
  'after a picture is sent to %s, %s confirms the upload, with and without JavaScript [OWN-125]',
  async (path, page, text, fields) => {
    const { owner, db } = await open()
    await addCategory(db, 'bags')
    const imageId = await addImage(db, 'bag')
    await db.updateTable('categories').set({ imageId }).execute()
    const sent = { ...fields, file: new File([square], 'a.png', { type: 'image/png' }) }
    expect((await owner.act(path, formOf(sent))).text).toContain(text)
    expect((await owner.post(path, formOf({ ...sent, back: page }))).headers.get('location')).toBe(
      page,
    )
    expect(await owner.page(page)).toMatch(
      new RegExp(`role="status"[^>]*><noscript><p[^>]*>${text}</p>`),
    )
  },
)

test('the shop refuses a file that is not a picture, and stores only the first frame of an animation [OWN-14]', async () => {
  const { send, uploads, owner, visitor, storage } = await open()
  const svg = new File(
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    'a.svg',
    { type: 'image/svg+xml' },
  )
  const large = new File([new Uint8Array(MAX_UPLOAD_BYTES + 1)], 'a.jpg', { type: 'image/jpeg' })
  const cases = {
    'not-an-image': [svg, new File(['%PDF'], 'a.pdf', { type: 'application/pdf' })],
    'too-big': [large],
    'no-file': [new File([], '')],
  }
  for (const [refusal, files] of Object.entries(cases)) {
    for (const file of files) {
      const refused = await send('wallpaper-light', file)
      expect(refused.status).toBe(422)
      expect(refused.text).toEqual(expect.stringContaining(imageErrorTexts[refusal as 'no-file']))
    }
  }
  expect((await send('no-such-scene', photo())).status).toBe(404)
  expect(await uploads()).toEqual([])
  expect(await owner.page('/manage/home/')).toContain('/pictures/scenes/wallpaper-light.avif')

  const printed = await corners().toColorspace('cmyk').jpeg().toBuffer()
  expect(
    (
      await send(
        'wallpaper-light',
        new File([new Uint8Array(printed)], 'a.jpg', { type: 'image/jpeg' }),
      )
    ).status,
  ).toBe(200)
  const bytes = await storage.read((await uploads())[0]!)
  expect((await sharp(bytes!).metadata()).space).toBe('srgb')
  const moving = new File([new Uint8Array(await longGif(3))], 'a.gif', { type: 'image/gif' })
  expect((await send('wallpaper-light', moving)).status).toBe(200)
  expect((await sharp((await storage.read((await uploads())[0]!))!).metadata()).pages ?? 1).toBe(1)
  expect((await visitor().get(`/pictures/${(await uploads())[0]}`)).status).toBe(200)
})
