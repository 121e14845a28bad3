// The signed token by which a provider says who somebody is: each mark of it has to be right.
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { expect, test } from 'vitest'
import { openShopWithGoogle } from '#test/shop-with-google.ts'
import { signInWith } from '#test/visit-provider.ts'

type Sign = (claims: JWTPayload, header?: object) => Promise<string>
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const inJwk = stranger.publicKey.export({ format: 'jwk' }) as Record<string, string>

const forgeries: Record<string, (claims: JWTPayload, sign: Sign) => Promise<string>> = {
  'by another key': (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(stranger.privateKey),
  'by a key that it brings along': (claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk: inJwk, jku: 'http://localhost:9/keys' }).sign(stranger.privateKey),
  'with the client’s secret': (claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('a-secret-of-the-provider-and-longer')),
  'not signed': async (claims) => new UnsecuredJWT(claims).encode(),
  'for another client': (claims, sign) => sign({ ...claims, aud: 'somebody-else' }),
  'of another issuer': (claims, sign) => sign({ ...claims, iss: 'https://evil.test' }),
  'of another try': (claims, sign) => sign({ ...claims, nonce: 'another' }),
  'of no try': ({ nonce: _nonce, ...claims }, sign) => sign(claims),
  'too old': (claims, sign) => sign({ ...claims, iat: claims.iat! - 7200, exp: claims.exp! - 7200 }),
  'not valid yet': (claims, sign) => sign({ ...claims, nbf: claims.iat! + 7200 }),
  // Without an address in it the provider is asked for one, and tells of somebody else.
  'of another person': ({ email: _email, ...claims }, sign) => sign({ ...claims, sub: 'g-other' }),
}

test('LOGIN-13 S-208 a token that is not signed by the provider, or not for this shop, this try and this moment, signs nobody in', async () => {
  const { shop, provider } = await openShopWithGoogle()
  for (const [how, forge] of Object.entries(forgeries)) {
    provider.manners.forge = forge
    const visitor = shop.visitor()
    const back = await signInWith(visitor, 'gina')
    expect([how, back.headers.get('location'), visitor.cookies.has('shop.session_token')]).toEqual([how, '/login/', false])
  }
  expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
  // So it is the mark that was wrong each time, not the way of sending it.
  provider.manners.forge = (claims, sign) => sign(claims)
  expect((await signInWith(shop.visitor(), 'gina')).headers.get('location')).toBe('/')
})
