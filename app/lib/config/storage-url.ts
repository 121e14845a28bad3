/** Parses STORAGE_URL, which names an S3-compatible storage: s3://key:secret@bucket/folder?endpoint=https://host&region=… */
import { decodePercent } from '#app/lib/text/decode-percent.ts'

export type StorageLocation = {
  bucket: string
  /** the prefix of all paths in the bucket: '', or a text that ends with a slash */
  folder: string
  /** the URL of the storage server, or null if the storage is Amazon S3 */
  endpoint: string | null
  /** the region, or null if STORAGE_URL names no region; the shop then uses the environment variable AWS_REGION */
  region: string | null
  /** the keys, or null if STORAGE_URL contains no keys; the shop then uses AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

const SHAPE = 'must look like s3://key:secret@bucket/folder?endpoint=https://host:port&region=name'
const knownParameters = ['endpoint', 'region']

/** Returns the storage location, or an error text. The error text contains no part of STORAGE_URL, which may contain a password. */
export function parseStorageUrl(text: string): StorageLocation | string {
  // Amazon's keys often contain a slash, and an unescaped slash makes the URL invalid.
  if (!URL.canParse(text)) return `${SHAPE}; in key and secret / is written %2F, + is %2B, @ is %40`
  const url = new URL(text)
  if (url.protocol !== 's3:' || url.port || url.hash) return SHAPE
  // This is Amazon's rule for bucket names. Other S3-compatible storages have the same rule or a stricter rule.
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    return 'must name a bucket of 3 to 63 lowercase characters, digits, dots and hyphens: s3://bucket/folder'
  const folder = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^([\w-][\w.-]*(\/[\w-][\w.-]*)*)?$/.test(folder))
    return 'must name a folder of letters, digits, dots, hyphens and slashes, or none'
  if ([...url.searchParams.keys()].some((name) => !knownParameters.includes(name)))
    return `must not have other parameters than ${knownParameters.join(' and ')}`
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !isOrigin(endpoint))
    return 'must have an endpoint that is an http or https URL, such as https://storage.example:9000'
  if ((url.username === '') !== (url.password === ''))
    return 'must have both a key and its secret, or none of them'
  const credentials = url.username ? decoded(url.username, url.password) : null
  if (credentials === undefined) return 'must have a key and a secret whose % are written %25'
  return {
    bucket: url.hostname,
    folder: folder && `${folder}/`,
    endpoint: endpoint && new URL(endpoint).origin,
    region: url.searchParams.get('region') || null,
    credentials,
  }
}

const isOrigin = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.username === ''
  )
}

function decoded(key: string, secret: string) {
  const [accessKeyId, secretAccessKey] = [decodePercent(key), decodePercent(secret)]
  return accessKeyId === null || secretAccessKey === null
    ? undefined
    : { accessKeyId, secretAccessKey }
}
