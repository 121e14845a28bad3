/** A shop with Google in it, and the people whom Google knows. */
import { openTestProvider, type ProviderPerson } from './open-provider.ts'
import { openTestShop, ORIGIN } from './open-test-shop.ts'

export const gina = {
  sub: 'g-1',
  email: 'Gina@mail.test',
  email_verified: true,
  name: 'Gina Google',
  picture: 'https://photos.test/gina.png',
}

export async function openShopWithGoogle(people: Record<string, ProviderPerson> = { gina }, more: Parameters<typeof openTestShop>[0] = {}) {
  const provider = await openTestProvider({ people, redirects: [`${ORIGIN}/login/google/back`] })
  const shop = await openTestShop({ providers: { list: [provider.settings], origin: ORIGIN }, ...more })
  return { shop, provider }
}
