import { createHash } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

const keyOf = (secret: string) => createHash('sha256').update(secret).digest()

export const encryptText = (text: string, secret: string) =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(secret))

export async function decryptText(encrypted: string, secret: string) {
  try {
    return new TextDecoder().decode((await compactDecrypt(encrypted, keyOf(secret))).plaintext)
  } catch {
    return null
  }
}
