import href from '#ui/fonts/fraunces-400.woff2?url'

export const preloadUprightFont = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const, href },
]
