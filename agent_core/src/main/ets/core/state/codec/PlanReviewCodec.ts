import { PendingPlanReview } from '../../approval/PlanReview';
import { JsonWriter } from '../../json/JsonWriter';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

/** `{reviewId,runId,plan,createdAtMs}`. */
export class PlanReviewCodec {
  static encode(review: PendingPlanReview, writer: JsonWriter): string {
    return new ObjectText(writer)
      .string('reviewId', review.reviewId)
      .string('runId', review.runId)
      .object('plan', review.plan)
      .number('createdAtMs', review.createdAtMs)
      .end();
  }

  static decode(reader: DocumentReader): PendingPlanReview {
    return new PendingPlanReview(reader.string('reviewId'), reader.string('runId'), reader.sealed('plan'),
      reader.number('createdAtMs'));
  }
}
