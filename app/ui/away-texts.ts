/** What is said while the shop cannot be reached. */

export const awayTexts = {
  offline: 'You are offline.',
  away: 'The shop cannot be reached just now.',
  calm: 'Nothing you typed is lost. This page goes on by itself.',
  back: 'Back online',
  later: 'The page opens as soon as the shop can be reached.',
  notSent: 'Not sent: the shop cannot be reached. What you typed is still here.',
  failed: 'That did not work. What you typed is still here: please try again.',
} as const
