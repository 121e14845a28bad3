export const sentTexts = {
  done: 'Your request was sent. The answer comes in your messages.',
  conversation: 'See the conversation',
  another: 'Write another request',
}
