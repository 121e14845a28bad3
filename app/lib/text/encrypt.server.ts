/** Encrypts short texts for the database, with AES-256-GCM as a JSON Web Encryption. */
import { createHash } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

const keyOf = (secret: string) => createHash('sha256').update(secret).digest()

export const encryptText = (text: string, secret: string): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(secret))

/** Returns null if the text was encrypted with another secret, or was changed. */
export async function decryptText(encrypted: string, secret: string): Promise<string | null> {
  try {
    return new TextDecoder().decode((await compactDecrypt(encrypted, keyOf(secret))).plaintext)
  } catch {
    return null
  }
}
