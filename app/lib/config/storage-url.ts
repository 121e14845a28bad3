import { decodePercent } from '../text/decode-percent.ts'

export type StorageLocation = {
  bucket: string
  folder: string
  endpoint: string | null
  region: string | null
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

const SHAPE = 'must look like s3://key:secret@bucket/folder?endpoint=https://host:port&region=name'
const knownParameters = ['endpoint', 'region']

/** The returned error contains no part of the URL, because the URL contains a secret key. */
export function parseStorageUrl(text: string): StorageLocation | string {
  // A slash in the secret key, which Amazon's keys often contain, makes the URL invalid.
  const url = URL.parse(text)
  if (!url) return `${SHAPE}; in key and secret / is written %2F, + is %2B, @ is %40`
  if (url.protocol !== 's3:' || url.port || url.hash) return SHAPE
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) {
    return 'must name a bucket of 3 to 63 lowercase characters, digits, dots and hyphens: s3://bucket/folder'
  }
  const folder = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^([\w-][\w.-]*(\/[\w-][\w.-]*)*)?$/.test(folder)) {
    return 'must name a folder of letters, digits, dots, hyphens and slashes, or none'
  }
  if ([...url.searchParams.keys()].some((name) => !knownParameters.includes(name))) {
    return `must not have other parameters than ${knownParameters.join(' and ')}`
  }
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !isOrigin(endpoint)) {
    return 'must have an endpoint that is an http or https URL, such as https://storage.example:9000'
  }
  if ((url.username === '') !== (url.password === '')) {
    return 'must have both a key and its secret, or none of them'
  }
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

function isOrigin(text: string) {
  const url = URL.parse(text)
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.username === ''
  )
}

function decoded(key: string, secret: string) {
  const accessKeyId = decodePercent(key)
  const secretAccessKey = decodePercent(secret)
  return accessKeyId === null || secretAccessKey === null
    ? undefined
    : { accessKeyId, secretAccessKey }
}
