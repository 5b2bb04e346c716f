import { BusinessError } from './BasicServicesKit';

/** What is shown now, by id and label, and how the person answered the question for permission. */
export const board = { shown: new Map<string, Record<string, unknown>>(), refused: false };

export const notificationManager = {
  ContentType: { NOTIFICATION_CONTENT_BASIC_TEXT: 0 },
  SlotType: { SERVICE_INFORMATION: 2 },
  async requestEnableNotification(): Promise<void> {
    if (board.refused) throw new BusinessError(1600004);
  },
  async publish(request: Record<string, unknown>): Promise<void> {
    if (board.refused) throw new BusinessError(1600004);
    board.shown.set(`${request.id} ${request.label}`, request);
  },
  async cancel(id: number, label: string): Promise<void> {
    if (!board.shown.delete(`${id} ${label}`)) throw new BusinessError(1600007);
  },
};
