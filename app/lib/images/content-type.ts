const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

export function contentTypeOf(path: string) {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : null
}
