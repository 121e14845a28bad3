import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { greetingOf } from '#test/fixtures/accounts.ts'
import { signInWith } from '#test/fixtures/oidc-provider.ts'
import { photo } from '#test/fixtures/images.ts'
import { gina, openShopWithGoogle } from '#test/fixtures/prepared-shops.ts'
import { MAX_UPLOAD_BYTES } from '#services/image-paths.ts'

const jpeg = Buffer.from(await photo().arrayBuffer())
const sendJpeg = (response: ServerResponse, bytes = jpeg) =>
  response.setHeader('content-type', 'image/jpeg').end(bytes)

/**
 * Opens a shop whose identity provider answers each request for the photo with `send`. `requests`
 * has one entry for each of these requests.
 */
async function openShopWithPhoto(send: (response: ServerResponse) => unknown = sendJpeg) {
  const { shop, provider } = await openShopWithGoogle({ gina })
  const requests: string[] = []
  provider.manners.sendPhoto = (response) => {
    requests.push('/photo')
    send(response)
  }
  provider.people.gina = { ...gina, picture: `${provider.issuer}/photo` }
  const imageOf = async () => {
    await shop.shop.backgroundTasks.settled()
    return (
      await shop.db
        .selectFrom('user')
        .select('image')
        .where('email', '=', 'gina@mail.test')
        .executeTakeFirstOrThrow()
    ).image
  }
  return { shop, provider, requests, imageOf }
}

test('the shop imports the provider’s photo once, at the registration, and stores it as the shop’s own image [S-209, LOGIN-17]', async () => {
  const { shop, requests, imageOf } = await openShopWithPhoto()
  const visitor = shop.visitor()
  await signInWith(visitor, 'gina')
  const image = await imageOf()
  expect(image).toMatch(/^\/pictures\/people\/[\w-]+\.\d+\.webp$/)
  expect((await visitor.get(image!)).status).toBe(200)
  const profile = pageOf(await visitor.page('/account/')).getByRole('region', { name: 'Profile' })
  expect(profile.querySelector('img')!.getAttribute('src')).toBe(image)

  await visitor.act('/account/photo', { intent: 'remove' })
  await signInWith(shop.visitor(), 'gina')
  expect(await imageOf()).toBeNull()
  expect(requests).toHaveLength(1)
})

test.for<[string, (response: ServerResponse) => unknown]>([
  [
    'a redirect to another server',
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/photo' }).end(),
  ],
  ['an error page', (response) => response.writeHead(404).end('not found')],
  [
    'a web page',
    (response) => response.setHeader('content-type', 'text/html').end('<script>alert(1)</script>'),
  ],
  [
    'a web page that claims to be an image',
    (response) => sendJpeg(response, Buffer.from('<svg onload="alert(1)"/>')),
  ],
  [
    'an image that is too large',
    (response) => sendJpeg(response, Buffer.alloc(MAX_UPLOAD_BYTES + 1)),
  ],
  ['a broken connection', (response) => response.destroy()],
])('the user keeps the placeholder photo if the provider sends %s [S-209]', async ([, send]) => {
  const { shop, imageOf } = await openShopWithPhoto(send)
  const visitor = shop.visitor()
  await signInWith(visitor, 'gina')
  expect(await imageOf()).toBeNull()
  expect(await greetingOf(visitor)).toBe('Hello, Gina')
  expect(shop.logged.map(({ message }) => message)).toContain(
    'a photo could not be imported from a provider',
  )
})

test('the shop requests no photo from a host other than the provider’s own host [S-209]', async () => {
  const { shop, provider, requests, imageOf } = await openShopWithPhoto()
  for (const picture of [
    `${provider.issuer.replace('localhost', '127.0.0.1')}/photo`,
    'file:///etc/passwd',
    'not a URL',
  ]) {
    provider.people.gina = { ...gina, sub: `g-${picture.length}`, email: 'gina@mail.test', picture }
    await signInWith(shop.visitor(), 'gina')
    expect(await imageOf()).toBeNull()
    await shop.db.deleteFrom('user').where('email', '=', 'gina@mail.test').execute()
  }
  expect(requests).toEqual([])
  expect(shop.logged.filter(({ message }) => message.includes('photo'))).toEqual([])
})

test('the shop imports the photo of a linked provider once, and a guest keeps her typed name if the provider sends none [S-209, S-002]', async () => {
  const { shop, provider, requests, imageOf } = await openShopWithPhoto()
  provider.people.gina = { ...provider.people.gina!, name: '' }
  const guest = await shop.guest()
  await shop.db.updateTable('user').set({ name: 'Gina Typed' }).where('id', '=', guest.id).execute()
  await signInWith(guest, 'gina', { purpose: 'link' })
  expect(await imageOf()).toMatch(/^\/pictures\/people\//)
  await signInWith(shop.visitor(), 'gina')
  await imageOf()
  expect(requests).toHaveLength(1)
  expect(await greetingOf(guest)).toBe('Hello, Gina')
})
