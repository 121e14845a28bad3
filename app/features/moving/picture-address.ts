/** Where a picture of the hosted storage lies in a copy of its bucket, and under which name the shop keeps it. */
import { createHash } from 'node:crypto'
import { itemFolder } from '#app/platform/picture-types.ts'
import type { PictureFolder } from '#app/platform/pictures.server.ts'

/** `path` inside the bucket, `bucket` where the url names it; null for an address that is no storage's. */
export function addressOf(url: string): { path: string; bucket: string } | null {
  const own = /^(?:https?:\/\/[^/]+)?\/pictures\/([^?#]+)/.exec(url)
  if (own) return checked(own[1]!, '')
  const hosted = /^https?:\/\/[^/]+\/v0\/b\/([^/]+)\/o\/([^?#]+)/.exec(url)
  if (hosted) return checked(decoded(hosted[2]!), hosted[1]!)
  const plain = /^(?:https?:\/\/storage\.googleapis\.com|gs:\/)\/([^/]+)\/([^?#]+)/.exec(url)
  if (plain) return checked(decoded(plain[2]!), plain[1]!)
  // A path as it is: items/walls/abc.jpg
  return /^[a-z]+:|^\//i.test(url) ? null : checked(url, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Nothing climbs out of the copy. */
function checked(path: string, bucket: string) {
  const parts = path.split('/')
  const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part))
  return isInside && !/^\.*$|[\0\\]/.test(bucket || '-') ? { path, bucket } : null
}

/** FILES-01 to FILES-03: the folder as the path says, where it says one that the shop has; else by what the picture is for. */
function folderOf(path: string, purpose: PictureFolder): PictureFolder {
  // Nobody but the two of a conversation sees its pictures, wherever they lay before.
  if (purpose === 'chat') return purpose
  const folder = path.slice(0, path.lastIndexOf('/'))
  if (['colors', 'category', 'people', 'scenes'].includes(folder)) return folder as PictureFolder
  const ofItems = (path: string) => (path.startsWith('items/') ? itemFolder(path.slice('items/'.length)) : null)
  return ofItems(folder) === folder ? (folder as PictureFolder) : (ofItems(purpose) ?? purpose)
}

/**
 * The name under which the picture is kept: its own, so that addresses stay (022); a dot or an odd character in it, or two names that
 * would meet once their endings differ (a.jpg and a.png), get a tail made from the address, the same at each import.
 */
export function placeOf(url: string, purpose: PictureFolder, isTaken: (place: string) => boolean): { folder: PictureFolder; name: string } {
  const path = addressOf(url)?.path ?? ''
  const folder = folderOf(path, purpose)
  const own = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '')
  const plain = own
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 100)
  if (plain !== '' && plain === own && !isTaken(`${folder}/${plain}`)) return { folder, name: plain }
  const tail = createHash('sha256').update(url).digest('hex').slice(0, 8)
  return { folder, name: [plain, tail].filter(Boolean).join('-') }
}
