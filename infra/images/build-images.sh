#!/bin/sh
# Runs in CodeBuild. Each line of images.txt has the name of an image, which is also the folder of its sources, and a
# tag with their digest. An image whose tag the repository has is not built again.
set -eu
repository=${REPOSITORY#*/}

digest_of() {
  aws ecr describe-images --repository-name "$repository" --image-ids "imageTag=$1" \
    --query 'imageDetails[0].imageDigest' --output text 2> /dev/null || true
}

aws ecr get-login-password | docker login --username AWS --password-stdin "${REPOSITORY%%/*}"
: > built.txt
while read -r name tag; do
  digest=$(digest_of "$tag")
  if [ -z "$digest" ]; then
    echo "$name: building"
    docker build --tag "$REPOSITORY:$tag" "$name" < /dev/null
    docker push "$REPOSITORY:$tag" < /dev/null
    digest=$(digest_of "$tag")
  fi
  echo "$name: $digest"
  echo "$name=$digest" >> built.txt
done < images.txt
