import { generateKeyPairSync } from 'node:crypto'
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { expect, test } from 'vitest'
import { signInWith } from '#test/fixtures/oidc-provider.ts'
import { openShopWithGoogle } from '#test/fixtures/prepared-shops.ts'

type Sign = (claims: JWTPayload, header?: object) => Promise<string>
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const inJwk = stranger.publicKey.export({ format: 'jwk' }) as Record<string, string>

const forgeries: Record<string, (claims: JWTPayload, sign: Sign) => Promise<string>> = {
  'signed with another key': (claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(stranger.privateKey),
  'signed with a key that it brings along': (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', jwk: inJwk, jku: 'http://localhost:9/keys' })
      .sign(stranger.privateKey),
  'signed with the client secret': (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('a-secret-of-the-provider-and-longer')),
  'without a signature': async (claims) => new UnsecuredJWT(claims).encode(),
  'for another client': (claims, sign) => sign({ ...claims, aud: 'somebody-else' }),
  'of another issuer': (claims, sign) => sign({ ...claims, iss: 'https://evil.test' }),
  'of another login': (claims, sign) => sign({ ...claims, nonce: 'another' }),
  'without a nonce': ({ nonce: _nonce, ...claims }, sign) => sign(claims),
  'that has expired': (claims, sign) =>
    sign({ ...claims, iat: claims.iat! - 7200, exp: claims.exp! - 7200 }),
  'that is not valid yet': (claims, sign) => sign({ ...claims, nbf: claims.iat! + 7200 }),
  // This token contains no email address, so the shop requests the user's data from the provider.
  // The response contains another subject than the token.
  'with another subject': ({ email: _email, ...claims }, sign) =>
    sign({ ...claims, sub: 'g-other' }),
}

test.each(Object.entries(forgeries))(
  'a login with a provider refuses a token %s [LOGIN-13, S-208]',
  async (_, forge) => {
    const { shop, provider } = await openShopWithGoogle()
    provider.manners.forge = forge
    const visitor = shop.visitor()
    expect((await signInWith(visitor, 'gina')).headers.get('location')).toBe('/login/')
    expect(visitor.cookies.has('shop.session_token')).toBe(false)
    expect(await shop.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'owner' }])
    // A token with unchanged claims and the provider's key is accepted. This proves that the shop
    // refused the token above because of the forgery.
    provider.manners.forge = (claims, sign) => sign(claims)
    expect((await signInWith(shop.visitor(), 'gina')).headers.get('location')).toBe('/')
  },
)
