import {
  createChangeBus,
  type ChangeBus,
  type TopicRules,
} from '#lib/realtime/change-bus.server.ts'

const publicTopics = ['catalog', 'testimonials', 'settings'] as const
const ownersTopics = ['tickets', 'orders', 'sales', 'mail', 'backups'] as const
const globalTopics = [...publicTopics, ...ownersTopics]
export type Topic = (typeof globalTopics)[number] | `order:${string}` | `user:${string}`

const isOneOf = (topics: readonly string[], word: string) => topics.includes(word)

export const topicRules: TopicRules<Topic> = {
  global: globalTopics,
  isTopic: (word): word is Topic => isOneOf(globalTopics, word) || /^(order|user):./.test(word),
  isPublic: (topic) => isOneOf(publicTopics, topic),
}

export type Live = ChangeBus<Topic>

export const createLive = (): Live => createChangeBus(topicRules)
