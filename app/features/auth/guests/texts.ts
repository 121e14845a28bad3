import { pluralize } from '#ui/format-count.ts'

export const linkGuestTexts = {
  title: 'Link Guest Account',
  lead: 'Keep your favorites, messages and order requests.',
  hint: '“Register” creates a new account with what you have here. “Log In” moves it to your existing account, after showing you what will move.',
  cancel: 'Cancel',
  question: { before: 'Move to ', after: '?' },
  moves: 'This will move to your account:',
  nothingMoves: 'There is nothing to move. You will be logged in to your account.',
  joinsConversation:
    'Your account already has a conversation with the maker. These messages are added to it.',
  guestDeleted: 'The guest account is then deleted.',
  yes: 'Yes',
  no: 'No',
}

export const linkGuestResults = {
  accountCreated: 'Your account is saved. Welcome!',
  merged: 'Everything has moved to your account. Welcome back!',
  notMerged: 'Nothing has moved. You are still a guest.',
  // The answer must not reveal whether the password is right.
  ownerNotAllowed:
    "Nothing can be moved to the owner's account. To log in as the owner, log out as a guest first.",
}

export const mergeErrorTexts = {
  'not-a-guest': 'You are no longer a guest, so there is nothing to move.',
  unproven: 'Please log in to your account again, so that no one else can take your data.',
  changed: 'Something has changed in the meantime. Please look at the list again.',
  'agreed-twice': (piece: string) =>
    `You have accepted an offer for “${piece}” here and in your account. Please write to the maker, so that she cancels one of them.`,
  'account-full':
    'Nothing has moved, because your account already has 500 pictures, the most it can have. You can keep writing to the maker as a guest.',
  failed: 'Nothing has moved, and nothing is lost. Please try again.',
}

export const mergePreviewTexts = {
  favorites(count: number, favoritesOfBoth: number) {
    const favorites = pluralize(count, 'favorite')
    if (favoritesOfBoth === 0) return favorites
    if (favoritesOfBoth >= count) return `${favorites}, already there`
    return `${favorites}, ${favoritesOfBoth.toLocaleString('en-US')} of them there already`
  },
  messages: (count: number) => pluralize(count, 'message'),
  images: (count: number) => pluralize(count, 'picture'),
  requested: (names: readonly string[]) =>
    `${pluralize(names.length, 'piece')} you asked for: ${names.join(', ')}`,
  purchases: (count: number) => pluralize(count, 'piece that you bought', 'pieces that you bought'),
}
